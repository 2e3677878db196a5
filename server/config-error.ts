/** A setting that cannot be used; the message names the setting, its value and what is expected. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
