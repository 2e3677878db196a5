import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Mailer } from '../../edges/smtp/types.ts';
import type { Actor } from '../actor.ts';
import { isVisible } from '../tenancy.ts';
import { OutboundError, openAddressOf } from '../outbound/post-json.ts';
import { openSealed, sealText } from '../seal.ts';
import { isMailKind, mailKinds } from './mail-kinds.ts';
import { findNearest } from './nearest.ts';

/** Ports that mail servers listen at. */
const MAIL_PORTS = new Set([25, 465, 587, 2525]);

type MailerContext = Pick<Context, 'mail' | 'openMailServer' | 'config' | 'secretKey'>;

/** What the password of a company's mail server is sealed for. */
export const mailServerPurpose = (companyId: number): string => `mail server ${companyId}`;

/** The password of a company's mail server as the database keeps it. */
export function sealMailPassword(ctx: Pick<Context, 'secretKey'>, companyId: number, password: string): string {
  return sealText(ctx.secretKey, mailServerPurpose(companyId), password);
}

/** Whether a company's mail server may listen at this port. */
export function isMailPort(ctx: Pick<Context, 'config'>, port: number): boolean {
  return ctx.config.mailServersPrivate || MAIL_PORTS.has(port);
}

/** The way to a company's mail server. A host that may not be called is a mail that failed; the name is asked again for each mail. */
export function mailerOfServer(ctx: MailerContext, row: Row<'email_configurations'>): Mailer {
  const { host, port, security, username, company_id } = row;
  return {
    async send(mail) {
      try {
        if (!isMailPort(ctx, port)) return { kind: 'failed', reason: 'closed-port' };
        const address = await openAddressOf(host, { allowPrivate: ctx.config.mailServersPrivate });
        const password = openSealed(ctx.secretKey, mailServerPurpose(company_id), row.sealed_password);
        const sender = { name: row.name, address: row.email };
        return await ctx.openMailServer({ address, host, port, security, username, password, sender }).send(mail);
      } catch (error) {
        if (error instanceof OutboundError) return { kind: 'failed', reason: error.reason };
        throw error;
      }
    },
  };
}

/** Who carries a mail, and which server of a company that is; undefined: the one of the installation. */
export interface Carrier {
  mailer: Mailer;
  server?: { id: number; host: string };
}

/**
 * Who carries a mail of this kind for a company (docs/behaviour.md, E-mail configuration): the chosen server as far as it belongs to the company or
 * one above it, else the default one of the nearest company, else the server of the installation; undefined: it is kept in the mailbox.
 */
export async function mailerFor(
  ctx: MailerContext & Pick<Context, 'db'>,
  companyId: number,
  { kind, serverId }: { kind: string; serverId?: number | null | undefined },
): Promise<Carrier | undefined> {
  const isOfTheAccount = isMailKind(kind) && mailKinds[kind].isOfTheAccount;
  const server = isOfTheAccount
    ? undefined
    : await findNearest(ctx.db, companyId, async (ids) => {
        const rows = await ctx.db.selectFrom('email_configurations').selectAll().where('company_id', 'in', ids).execute();
        const chosen = rows.filter(({ id }) => id === serverId);
        return chosen.length > 0 ? chosen : rows.filter(({ is_default }) => is_default === 1);
      });
  if (server) return { mailer: mailerOfServer(ctx, server), server: { id: server.id, host: server.host } };
  return ctx.mail ? { mailer: ctx.mail } : undefined;
}

/** The id of a mail server, as far as the actor sees it. */
export async function findMailServer(db: Db, actor: Actor, serverId: number | null | undefined): Promise<number | undefined> {
  if (serverId === null || serverId === undefined) return undefined;
  const row = await db
    .selectFrom('email_configurations')
    .select('id')
    .where('id', '=', serverId)
    .where(isVisible(actor, 'email_configurations'))
    .executeTakeFirst();
  return row?.id;
}
