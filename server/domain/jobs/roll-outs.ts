/** Kinds of jobs that put firmware or settings on devices: what people call a roll-out. */
export const ROLL_OUT_KINDS: readonly string[] = ['update_firmware', 'upload_backup', 'update_devices'];
