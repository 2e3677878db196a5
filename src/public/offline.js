// Shows the user's language and colours, and goes back by itself when the network is there again.
const cookies = Object.fromEntries(document.cookie.split('; ').map((part) => part.split('=')));
const sections = [...document.querySelectorAll('section[lang]')];
const base = (tag) => ({ no: 'nb', nn: 'nb' })[tag.split('-')[0]] ?? tag.split('-')[0];
const wished = [cookies.canopy_language, ...navigator.languages].filter(Boolean).map(base);
const language = wished.find((tag) => sections.some((section) => section.lang === tag)) ?? 'en';

document.documentElement.lang = language;
document.documentElement.dataset.theme = cookies.canopy_dark ?? 'auto';
for (const section of sections) section.hidden = section.lang !== language;
window.addEventListener('online', () => location.replace('/'));
