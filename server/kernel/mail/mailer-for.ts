import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Mailer } from '../../edges/smtp/types.ts';
import { OutboundError, openAddressOf } from '../outbound/post-json.ts';
import { openSealed, sealText } from '../seal.ts';
import type { MailKind } from './write-mail.ts';

/** Ports that mail servers listen at. */
const MAIL_PORTS = new Set([25, 465, 587, 2525]);
/** Mails that let their reader act as somebody, or warn of it: a company could read them on its own mail server and sign in as people with more rights. */
const OF_THE_ACCOUNT: ReadonlySet<string> = new Set<MailKind>(['code', 'new-password', 'confirm-email', 'email-asked', 'email-changed']);

type MailerContext = Pick<Context, 'mail' | 'openMailServer' | 'config' | 'secretKey'>;

const purposeOf = (companyId: number): string => `mail server ${companyId}`;

/** The password of a company's mail server as the database keeps it. */
export function sealMailPassword(ctx: Pick<Context, 'secretKey'>, companyId: number, password: string): string {
  return sealText(ctx.secretKey, purposeOf(companyId), password);
}

/** Whether a company's mail server may listen at this port. */
export function isMailPort(ctx: Pick<Context, 'config'>, port: number): boolean {
  return ctx.config.mailServersPrivate || MAIL_PORTS.has(port);
}

/** The way to a company's mail server. A host that may not be called is a mail that failed; the name is asked anew for each mail. */
export function mailerOfServer(ctx: MailerContext, row: Row<'email_configurations'>): Mailer {
  const { host, port, security, username, company_id } = row;
  return {
    async send(mail) {
      try {
        if (!isMailPort(ctx, port)) return { kind: 'failed', reason: 'closed-port' };
        const address = await openAddressOf(host, { allowPrivate: ctx.config.mailServersPrivate });
        const password = openSealed(ctx.secretKey, purposeOf(company_id), row.sealed_password);
        const sender = { name: row.name, address: row.email };
        return await ctx.openMailServer({ address, host, port, security, username, password, sender }).send(mail);
      } catch (error) {
        if (error instanceof OutboundError) return { kind: 'failed', reason: error.reason };
        throw error;
      }
    },
  };
}

/** The mail server of the company or of the nearest one above it that has one. */
async function findServer(db: Db, companyId: number): Promise<Row<'email_configurations'> | undefined> {
  const company = await db.selectFrom('companies').select('path').where('id', '=', companyId).executeTakeFirst();
  // `/1/5/` → 1 and 5; nearer ones stand later.
  const above = (company?.path ?? '').split('/').filter(Boolean).map(Number).filter(Number.isSafeInteger);
  if (above.length === 0) return undefined;
  const rows = await db.selectFrom('email_configurations').selectAll().where('company_id', 'in', above).execute();
  return rows.toSorted((a, b) => above.indexOf(b.company_id) - above.indexOf(a.company_id))[0];
}

/** Who carries a mail of this kind for a company (docs/behaviour.md, E-mail configuration); undefined: it is kept in the mailbox. */
export async function mailerFor(ctx: MailerContext & Pick<Context, 'db'>, companyId: number, kind: string): Promise<Mailer | undefined> {
  const server = OF_THE_ACCOUNT.has(kind) ? undefined : await findServer(ctx.db, companyId);
  return server ? mailerOfServer(ctx, server) : ctx.mail;
}
