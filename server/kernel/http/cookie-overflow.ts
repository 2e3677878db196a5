import { createHash } from 'node:crypto';

/**
 * Deletes every cookie that scripts see, at each path and domain at which one can have been set, and goes to the start page. There it stays when nothing more
 * was deleted, or it would load for ever. The header that clears cookies may have left none to delete.
 */
const SCRIPT = `(function () {
  var before = document.cookie;
  var paths = ['/'], path = '', hosts = [''], labels = location.hostname.split('.');
  location.pathname.split('/').forEach(function (part) {
    if (part !== '') { path += '/' + part; paths.push(path, path + '/'); }
  });
  labels.forEach(function (_label, index) { hosts.push('; domain=' + labels.slice(index).join('.')); });
  before.split('; ').forEach(function (pair) {
    var name = pair.split('=')[0];
    paths.forEach(function (at) { hosts.forEach(function (host) { document.cookie = name + '=; max-age=0; path=' + at + host; }); });
  });
  if (document.cookie.length < before.length || location.pathname !== '/') location.replace('/');
})();`;

const TEXTS = [
  ['en', 'Your browser holds more cookies for this address than the server takes. They were removed: open the console again.'],
  ['nb', 'Nettleseren din har flere informasjonskapsler for denne adressen enn serveren tar imot. De er fjernet: åpne konsollen på nytt.'],
  ['ja', 'このアドレスの Cookie がサーバーの受け付ける量を超えていたため、削除しました。コンソールを開き直してください。'],
  ['uk', 'Ваш браузер зберігає для цієї адреси більше файлів cookie, ніж приймає сервер. Їх видалено: відкрийте консоль знову.'],
] as const;

const BODY = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Canopy</title>${TEXTS.map(
  ([language, text]) => `<p lang="${language}"><a href="/">${text}</a></p>`,
).join('')}<script>${SCRIPT}</script></html>`;

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** The answer to a request whose headers are too long. Only cookies become so many, and with them no page of the console would open any more. */
export const cookieOverflow = {
  body: BODY,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; frame-ancestors 'none'`,
    // Also those that scripts do not see; browsers keep to it over https only.
    'clear-site-data': '"cookies"',
  },
};
