import type { App } from '../../kernel/route.ts';

export function registerStorage(_app: App): void {}
