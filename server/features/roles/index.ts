import type { App } from '../../kernel/route.ts';

export function registerRoles(_app: App): void {}
