import { useState } from 'react';
import { openForm } from '../../engine/form/index.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { loadUser, markAuthenticated, useUser } from '../../kernel/session/index.ts';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Avatar, Button, Card, FileButton } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

const AVATAR_SIZE = 64;

async function reloadUser(): Promise<void> {
  await loadUser();
  markAuthenticated();
}

/** Who the user is, with the ways to change it: picture, names, address, password. */
export function ProfileCard() {
  const t = useT();
  const user = useUser();
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ');
  const facts: readonly (readonly [string, string])[] = [
    [t('account.name'), name || user.username],
    [t('signIn.email'), user.email],
    [t('account.company'), user.company_name],
    [t('account.role'), roleTitle(user.role)],
  ];
  const open = async (form: string) => {
    if (await openForm(form)) await reloadUser();
  };
  return (
    <Card title={t('account.profile')}>
      <div className={styles.profile}>
        <PictureSetting />
        <dl className={styles.facts}>
          {facts.map(([term, fact]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.buttons}>
          <Button icon="pencil" onClick={() => void open('account/profile')}>
            {t('account.editProfile')}
          </Button>
          <Button icon="mail" onClick={() => void open('account/email')}>
            {t('account.changeEmail')}
          </Button>
          <Button icon="lock" onClick={() => void open('account/password')}>
            {t('account.changePassword')}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function PictureSetting() {
  const t = useT();
  const user = useUser();
  const [isBusy, setBusy] = useState(false);

  const change = async (send: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await send();
      await reloadUser();
    } catch (error) {
      if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: t('account.pictureFailed') }));
    } finally {
      setBusy(false);
    }
  };
  const handleFile = (file: File) => {
    void change(async () => {
      const parts = new FormData();
      parts.set('file', await squarePicture(file), 'picture');
      return api.put('/account/avatar', parts);
    });
  };
  return (
    <div className={styles.picture}>
      <Avatar seed={user.id} url={user.avatar_url} size={AVATAR_SIZE} />
      <div className={styles.buttons}>
        <FileButton label={t('account.changePicture')} accept="image/png,image/jpeg,image/webp" isBusy={isBusy} onFile={handleFile}>
          {t('account.changePicture')}
        </FileButton>
        {user.avatar_url ? (
          <Button icon="trash-2" variant="ghost" onClick={() => void change(() => api.delete('/account/avatar'))}>
            {t('account.removePicture')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Pixels of each side; the largest avatar on a page is 64, on dense screens three times that. */
const SIDE = 256;

const QUALITY = 0.9;

/** The middle of a picture as a square of 256 pixels, without the file's metadata (position, camera). Throws Error for what is no picture. */
export async function squarePicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const side = Math.min(picture.width, picture.height);
    const canvas = document.createElement('canvas');
    canvas.width = SIDE;
    canvas.height = SIDE;
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
    // Browsers that write no WebP answer a PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
    if (!blob) throw new Error('The picture could not be drawn.');
    return blob;
  } finally {
    picture.close();
  }
}
