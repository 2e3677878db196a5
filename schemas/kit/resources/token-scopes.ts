const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['view']],
  ['write', ['create', 'update']],
  ['delete', ['delete']],
  ['move', ['move']],
  ['execute', ['execute']],
]);

/** Things that clients written for RMS know by another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['wireless', 'wireless_information'],
  ['command', 'device_commands'],
]);

/** Documented scopes for which we have no permission of that name: what they let a program do takes these. */
const SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['device_location:read', ['view_devices']],
  ['dynamic_dns:read', ['view_devices']],
  // Settings are read with the permission that writes them, which a scope for reading does not give.
  ['device_configurations:read', ['view_devices']],
  ['device_configurations:write', ['create_multi_configuration']],
  ['device_alert_configurations:read', ['view_device_alerts']],
  ['device_tasks:read', ['view_device_task_groups']],
  ['credits:write', ['move_devices_credits', 'update_device_credit_status']],
  ['credit_transfer_codes:write', ['move_devices_credits', 'activate_credit_transfer_codes']],
  ['user_invitations:write', ['create_users']],
]);

/**
 * The permissions that a scope of an access token stands for: `devices:write` → `create_devices` and `update_devices`. A permission's own name is
 * a scope too. Empty for what is neither.
 */
export function permissionsOfScope<P extends string>(scope: string, permissions: readonly P[]): P[] {
  const [thing = '', verb] = scope.split(':');
  if (verb === undefined) return permissions.filter((name) => name === scope);
  const known = SCOPES.get(scope);
  if (known) return permissions.filter((name) => known.includes(name));
  const byVerb = (key: string): P[] => {
    const names = new Set<string>((VERBS.get(key) ?? []).map((word) => `${word}_${OTHER_NAMES.get(thing) ?? thing}`));
    return permissions.filter((name) => names.has(name));
  };
  const found = byVerb(verb);
  // What can only be done, such as actions on devices, is "written" in the public API.
  return found.length === 0 && verb === 'write' ? byVerb('execute') : found;
}

/** The scope that has a permission in it; the permission's own name where there is no such verb. */
function scopeOf(permission: string): string {
  const [word = '', ...thing] = permission.split('_');
  const [verb] = [...VERBS].find(([, words]) => words.includes(word)) ?? [];
  return verb === undefined ? permission : `${thing.join('_')}:${verb}`;
}

/** The scopes that these permissions make possible, each once, with the permissions in it. */
export function scopesOf<P extends string>(permissions: readonly P[]): { scope: string; permissions: P[] }[] {
  const groups = Map.groupBy(permissions, scopeOf);
  return [...groups].map(([scope, members]) => ({ scope, permissions: members }));
}
