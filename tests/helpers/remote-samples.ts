import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { recordingPath } from '../../server/domain/remote/recording.ts';
import type { World } from './world.ts';

/** An entry of remote access on a device, with a session through it, a link to it and a question for consent; by the collections of routes. */
export async function makeRemoteRecords(
  world: World,
  {
    company,
    device,
    user,
    tag,
    marker,
  }: { company: { id: number }; device: { id: number }; user: { id: number }; tag: { id: number }; marker: string },
): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const entry = await db
    .insertInto('remote_entries')
    .values({
      device_id: device.id,
      name: marker,
      protocol: 'http',
      host: '192.168.1.20',
      port: 80,
      is_main: 0,
      credentials_required: 0,
      sealed_credentials: null,
      blocked_at: null,
      check_state: null,
      checked_at: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('remote_entry_tags').values({ entry_id: entry.id, tag_id: tag.id }).execute();
  const link = await db
    .insertInto('remote_links')
    .values({
      entry_id: entry.id,
      token_hash: `${marker} ${entry.id}`,
      email: `${marker.replaceAll(' ', '')}@example.org`,
      purpose: marker,
      ticket_number: '',
      created_by: user.id,
      created_by_name: marker,
      created_in: company.id,
      created_at: now,
      expires_at: now + 3_600_000,
      revoked_at: null,
      used_at: null,
      uses: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const session = await db
    .insertInto('remote_sessions')
    .values({
      company_id: company.id,
      device_id: device.id,
      device_name: marker,
      entry_id: entry.id,
      entry_name: marker,
      protocol: 'http',
      type: 'lan-webui',
      host: '192.168.1.20',
      port: 80,
      user_id: user.id,
      user_name: marker,
      on_behalf_of: null,
      link_id: null,
      session_id: null,
      token_id: null,
      ip: '127.0.0.1',
      ticket_hash: null,
      ticket_expires_at: now,
      opened_at: now,
      started_at: now,
      expires_at: now + 3_600_000,
      ended_at: now,
      end_reason: 'left',
      end_requested: null,
      bytes_in: 0,
      bytes_out: 0,
      bytes_charged: 0,
      owner: 'nobody',
      seen_at: now,
      recording_bytes: 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const found = await db
    .insertInto('found_services')
    .values({ device_id: device.id, host: '192.168.1.20', port: 8080, mac: '', host_name: marker.replaceAll(' ', '-'), found_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const key = await db
    .insertInto('terminal_keys')
    .values({
      user_id: user.id,
      company_id: company.id,
      is_shared: 1,
      user_name: marker,
      label: marker.slice(0, 24),
      text: marker,
      presses_enter: 1,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const consent = await db
    .insertInto('remote_consents')
    .values({
      company_id: company.id,
      device_id: device.id,
      user_id: user.id,
      user_name: marker,
      user_company: marker,
      purpose: marker,
      asked_at: now,
      state: 'asked',
      decided_at: null,
      decided_by_name: null,
      expires_at: now + 600_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const recording = recordingPath(world.ctx.config.dataDir, { id: session.id, protocol: 'http' });
  mkdirSync(dirname(recording), { recursive: true });
  writeFileSync(recording, '{}\n');
  return {
    'devices/remote-access': entry.id,
    'devices/connect': entry.id,
    'devices/connect/sessions': session.id,
    'remote/entries': entry.id,
    'remote/links': link.id,
    'remote/shared': link.id,
    'remote/found': found.id,
    'remote/keys': key.id,
    'remote/consents': consent.id,
  };
}
