import type { App } from '../../kernel/route.ts';

export function registerUsers(_app: App): void {}
