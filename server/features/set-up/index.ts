import type { App } from '../../kernel/route.ts';

export function registerSetUp(_app: App): void {}
