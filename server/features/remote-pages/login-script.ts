/** Runs in the page of a device, before its own scripts. It waits a minute for the one field of a password that is shown. */
const SCRIPT = `(function (given) {
  'use strict';
  var isShown = function (field) { return field.getClientRects().length > 0 && !field.disabled && !field.readOnly; };
  var put = function (field, value) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value);
    ['input', 'change'].forEach(function (type) { field.dispatchEvent(new Event(type, { bubbles: true })); });
  };
  var maySend = function () {
    var key = 'canopy-sent-' + given.id;
    try {
      if (!given.sends || sessionStorage.getItem(key)) return false;
      sessionStorage.setItem(key, '1');
      return true;
    } catch (error) { return false; }
  };
  var findButton = function (field) {
    var wanted = 'button[type=submit], input[type=submit], input[type=image], button:not([type])';
    if (field.form) return field.form.querySelector(wanted);
    for (var place = field.parentElement; place; place = place.parentElement) {
      var button = place.querySelector(wanted + ', button, input[type=button]');
      if (button) return button;
    }
    return null;
  };
  var send = function (field, tries) {
    var button = findButton(field);
    if (button && button.disabled && tries > 0) return void setTimeout(send, 100, field, tries - 1);
    if (button) button.click();
    else if (field.form) field.form.requestSubmit();
    else ['keydown', 'keypress', 'keyup'].forEach(function (type) {
      field.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true }));
    });
  };
  var fill = function () {
    var fields = Array.prototype.filter.call(document.querySelectorAll('input'), isShown);
    var passwords = fields.filter(function (field) { return field.type === 'password'; });
    var password = passwords[0];
    if (passwords.length !== 1 || password.value !== '') return false;
    var names = fields.slice(0, fields.indexOf(password)).filter(function (field) {
      return field.form === password.form && ['text', 'email', 'tel'].indexOf(field.type) >= 0;
    });
    var name = names[names.length - 1];
    if (name && given.username !== '') put(name, given.username);
    put(password, given.password);
    if (maySend()) setTimeout(send, 50, password, 20);
    return true;
  };
  var until = Date.now() + 60000;
  var timer = setInterval(function () {
    if (Date.now() > until || fill()) clearInterval(timer);
  }, 150);
})`;

/** The script with what it fills in, all of it letters and digits. */
export const loginScript = (given: { id: string; username: string; password: string; sends: boolean }): string =>
  `${SCRIPT}(${JSON.stringify(given)});\n`;
