import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** What people look at: a dashboard, an image, a view of a list, a report and its template. */
export async function makeViewRecords(world: World, { company, user, marker }: SamplePlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const dashboard = await db
    .insertInto('dashboards')
    .values({
      company_id: company.id,
      owner_id: null,
      kind: 'fleet',
      name: marker,
      is_default: 0,
      widgets: '[]',
      version: 1,
      user_name: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const image = await db
    .insertInto('images')
    .values({
      company_id: company.id,
      user_id: user.id,
      user_name: marker,
      name: marker,
      description: marker,
      type: 'device_dashboard',
      content_type: 'image/png',
      size: 1,
      original_width: 1,
      original_height: 1,
      bytes: '',
      thumbnail: '',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const view = await db
    .insertInto('views')
    .values({
      resource: 'devices',
      name: marker,
      share: 'company',
      company_id: company.id,
      owner_id: null,
      created_by: null,
      user_name: marker,
      query: '',
      columns: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const report = await db
    .insertInto('reports')
    .values({
      company_id: company.id,
      name: marker,
      description: marker,
      type: 'single',
      period: 'month',
      parameters: '["signal"]',
      applies_to: 'company',
      apply_list: '[]',
      is_active: 0,
      start_date: null,
      end_date: null,
      time: '06:00',
      timezone: 'UTC',
      next_at: null,
      generated_at: null,
      created_by: user.id,
      actor_company_id: company.id,
      user_name: marker,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const generated = await db
    .insertInto('generated_reports')
    .values({
      company_id: company.id,
      report_id: report.id,
      report_name: marker,
      name: marker,
      description: marker,
      type: 'single',
      period: 'month',
      parameters: '["signal"]',
      starts_at: 0,
      ends_at: 86_400_000,
      job_id: null,
      user_name: marker,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    reports: report.id,
    'reports/generated': generated.id,
    dashboards: dashboard.id,
    images: image.id,
    views: view.id,
  };
}
