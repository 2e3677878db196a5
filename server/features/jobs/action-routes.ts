import { Type } from '../../kernel/type.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import { bodySchemaOf, formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { route, type App } from '../../kernel/route.ts';
import { rebootKind, refreshKind, runKind } from './kinds.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;

/** The kinds of the actions that the public API knows; those that give files are another room's. */
const kindOf = {
  reboot: rebootKind.name,
  update_metrics_data: refreshKind.name,
  download_backup: 'download_backup',
  download_troubleshoot: 'download_troubleshoot',
  download_eventslog: 'download_eventslog',
  remote_scan: 'remote_scan',
} as const;
type Action = keyof typeof kindOf;

const actionForm: FormFile = {
  $schema: '',
  id: 'devices/actions',
  title: '',
  surface: 'dialog',
  permission: 'execute_device_actions',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['action'],
    properties: { action: { type: 'string', enum: Object.keys(kindOf) } },
  },
  submit: { method: 'POST', path: '/devices/actions', payload: 'devices', success: {} },
  examples: [],
};

/** Registers what makes devices do something: actions and commands, for many and for one. */
export function registerActions(app: App): void {
  const { jobs } = app.ctx;
  jobs.register(rebootKind);
  jobs.register(refreshKind);
  jobs.register(runKind);

  route(app, {
    method: 'POST',
    path: '/devices/actions',
    access: { permission: 'execute_device_actions' },
    summary: 'Reboots devices, or asks them for a report, a backup, an archive for support or their log.',
    tag: 'device actions',
    body: Type.Unsafe<DevicesBody & { action: Action }>(bodySchemaOf(actionForm)),
    handler: (call) => answerJobRequest(call, { kind: kindOf[call.body.action], input: {} }),
  });
  formRoute(app, 'devices/run-command', (call) => {
    const body: FormData['devices/run-command'] & DevicesBody = call.body;
    const { command, timeout } = body;
    return answerJobRequest({ ...call, body }, { kind: runKind.name, input: { command, timeout } });
  });
  route(app, {
    method: 'POST',
    path: '/devices/:id/command',
    access: { permission: 'execute_device_commands' },
    summary: 'Runs a command on one device.',
    tag: 'device actions',
    params: idParams,
    body: Type.Object(
      {
        command: Type.String({ minLength: 1, maxLength: 4096 }),
        timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 300 })),
        dry_run: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    handler(call) {
      const { command, timeout = DEFAULT_TIMEOUT_SECONDS, dry_run = false } = call.body;
      return answerJobRequest(
        { ...call, body: { device_id: [call.params.id], dry_run } },
        { kind: runKind.name, input: { command, timeout } satisfies FormData['devices/run-command'] },
      );
    },
  });
}
