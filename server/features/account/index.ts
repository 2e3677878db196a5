import type { App } from '../../kernel/route.ts';

export function registerAccount(_app: App): void {}
