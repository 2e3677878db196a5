import type { App } from '../../kernel/route.ts';

export function registerHistory(_app: App): void {}
