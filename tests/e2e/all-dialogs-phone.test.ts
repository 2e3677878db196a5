import { PHONE } from './browser.ts';
import { findFaults, testEveryWindow } from './all-dialogs.ts';

testEveryWindow('whole and without a fault on a phone, dark', { viewport: PHONE, colorScheme: 'dark', find: findFaults });
