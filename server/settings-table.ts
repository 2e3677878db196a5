/** Every setting: its environment variable (also its name in canopy.config.json), kind, default and meaning. */
export const settingsTable = [
  { name: 'PORT', kind: 'port', default: '8080', comment: 'Port of the console and the API.' },
  { name: 'HOST', kind: 'text', default: '127.0.0.1', comment: 'Address to listen on; 0.0.0.0 for all interfaces.' },
  { name: 'DATA_DIR', kind: 'path', default: 'data', comment: 'Folder for the database, files and keys.' },
  { name: 'DATABASE_URL', kind: 'url', default: '', comment: 'postgres://… ; empty: SQLite in DATA_DIR.' },
  {
    name: 'PUBLIC_URL',
    kind: 'url',
    default: '',
    comment: 'Address by which people and devices reach this server; empty: http://HOST:PORT.',
  },
  { name: 'MQTT_PORT', kind: 'port', default: '1883', comment: 'Port of the embedded MQTT broker.' },
  { name: 'MQTT_HOST', kind: 'text', default: '', comment: 'Address the embedded broker listens on; empty: HOST.' },
  {
    name: 'MQTT_URL',
    kind: 'url',
    default: '',
    comment: 'mqtt://user:password@host:port of an external broker (mosquitto with dynamic security); empty: embedded.',
  },
  { name: 'MQTT_PUBLIC_HOST', kind: 'text', default: '', comment: 'Host name told to devices for MQTT; empty: host of PUBLIC_URL.' },
  { name: 'MQTT_PUBLIC_PORT', kind: 'port', default: '0', comment: 'Port told to devices for MQTT; 0: the port in use.' },
  { name: 'REPORT_SECONDS', kind: 'integer', default: '60', comment: 'How often devices report, in seconds.' },
  {
    name: 'SMTP_URL',
    kind: 'url',
    default: '',
    comment:
      'smtp://user:password@host:port of the mail server; empty: mails are kept in the mailbox of system administrators, and a second factor by mail is not offered.',
  },
  {
    name: 'MAIL_SERVERS_PRIVATE',
    kind: 'text',
    default: 'no',
    comment:
      'yes: mail servers of companies may stand in private networks and listen at any port; no: public addresses and the ports 25, 465, 587 and 2525 only.',
  },
  { name: 'SMTP_FROM', kind: 'text', default: '', comment: 'Sender of mails; empty: canopy@ and the host of PUBLIC_URL.' },
  {
    name: 'SECRET_KEY_FILE',
    kind: 'path',
    default: '',
    comment: 'File with the 32-byte secret key; empty: DATA_DIR/secret.key, made on first start. Keep it out of backups of the database.',
  },
  {
    name: 'TRUST_PROXY',
    kind: 'text',
    default: '',
    comment: 'Addresses of reverse proxies (comma separated) whose X-Forwarded-For is believed; empty: none.',
  },
  {
    name: 'DOCS_URL',
    kind: 'url',
    default: '',
    comment: 'Address of the documentation that the help links of windows lead to; empty: no help links.',
  },
  {
    name: 'FORMS_DIR',
    kind: 'path',
    default: '',
    comment: 'Folder of added forms, <room>/<name>.form.json, watched; empty: DATA_DIR/forms.',
  },
  {
    name: 'FILE_QUOTA_MB',
    kind: 'integer',
    default: '2048',
    comment: 'Megabytes that the files of one company may take.',
  },
  {
    name: 'WEBHOOKS',
    kind: 'json',
    default: '',
    comment:
      'Programs that forms may call, by name: {"billing":{"url":"https://…","secret":"…"}}; "allowPrivate":true lets one be in a private network.',
  },
  {
    name: 'OIDC_ISSUER',
    kind: 'url',
    default: '',
    comment: 'Address of an OpenID Connect provider whose accounts may sign in; empty: none. It sends people back to PUBLIC_URL/external.',
  },
  { name: 'OIDC_CLIENT_ID', kind: 'text', default: '', comment: 'What the provider calls this installation.' },
  { name: 'OIDC_CLIENT_SECRET_FILE', kind: 'path', default: '', comment: 'File with the client secret; empty: none, PKCE alone.' },
  { name: 'OIDC_LABEL', kind: 'text', default: 'Single sign-on', comment: 'Name of the provider on the sign-in page.' },
  {
    name: 'TERMS_FILE',
    kind: 'path',
    default: '',
    comment: 'Text file with the terms of service that everybody accepts before going on; empty: none.',
  },
  {
    name: 'TERMS_VERSION',
    kind: 'text',
    default: '',
    comment: 'Version of the terms; another one asks everybody again. Empty: every change of the file is a new version.',
  },
  {
    name: 'RESOURCES',
    kind: 'switch',
    default: 'on',
    comment: 'off: nothing is sold here; credits, codes and company data are gone from the console and the API.',
  },
  { name: 'LOG_LEVEL', kind: 'text', default: 'info', comment: 'fatal, error, warn, info, debug, trace or silent.' },
] as const;
