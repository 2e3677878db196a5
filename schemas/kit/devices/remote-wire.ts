/**
 * What console and server say to each other over the socket of a remote session, after its hello. Text frames are one of these as JSON; binary frames are
 * what the remote side and the keyboard send.
 */

/** The server pauses the remote side above this many bytes that the terminal has not drawn yet, and goes on below the second number. */
export const TERMINAL_WINDOW_BYTES = 512 * 1024;
export const TERMINAL_RESUME_BYTES = 128 * 1024;
/** The terminal acknowledges what it has drawn each time that so much is together. */
export const TERMINAL_ACK_BYTES = 64 * 1024;
/** How long a shell waits for a console that has lost its line. */
export const TERMINAL_HOLD_SECONDS = 30;

/** An upload keeps at most this much under way. */
export const UPLOAD_WINDOW_BYTES = 4 * 1024 * 1024;
export const UPLOAD_CHUNK_BYTES = 256 * 1024;
/** The longest text that is opened for editing. */
export const EDIT_LIMIT_BYTES = 512 * 1024;
/** Entries of one folder that are listed. */
export const LIST_LIMIT = 10_000;

export interface HostKeyQuestion {
  kind: 'host-key';
  key_type: string;
  /** `SHA256:…`, as ssh-keygen prints it. */
  fingerprint: string;
  host: string;
  port: number;
  /** The fingerprint that was trusted until now: the key has changed. */
  known?: string;
}

export interface LoginQuestion {
  kind: 'login';
  username?: string;
  /** The last answer was refused. */
  failed: boolean;
  /** A private key is an answer as well. */
  takes_key: boolean;
  needs_username: boolean;
}

export interface PromptQuestion {
  kind: 'prompts';
  name: string;
  instructions: string;
  prompts: { text: string; echo: boolean }[];
}

export type RemoteQuestion = HostKeyQuestion | LoginQuestion | PromptQuestion;

export interface LoginAnswer {
  username?: string;
  password?: string;
  private_key?: string;
  passphrase?: string;
}

/** `null`: the person gave up. */
export type RemoteAnswer = { trust: boolean } | LoginAnswer | { answers: string[] } | null;

/** Why a session could not be opened or ended; each has a text `remote.ends.<code>`. */
export const REMOTE_ENDS = [
  'closed',
  'refused',
  'unreachable',
  'timeout',
  'host-key-refused',
  'login-failed',
  'cancelled',
  'legacy-needed',
  'protocol',
  'no-desktop',
  'too-many-desktops',
  'ended',
] as const;
export type RemoteEnd = (typeof REMOTE_ENDS)[number];

export type ServerMessage =
  | { type: 'ask'; id: number; question: RemoteQuestion }
  /** The shell, the files or the desktop are there. `resume`: with it in the hello, the same shell goes on. `from`: bytes that came before what follows. `fixed_size`: the desktop keeps the size that it began with. `no_clipboard`: nothing is copied to it or from it. */
  | {
      type: 'open';
      resume?: string;
      from?: number;
      recorded: boolean;
      warnings?: string[];
      fixed_size?: true;
      no_clipboard?: true;
      home?: string;
      ways?: 'sftp' | 'exec';
    }
  | { type: 'end'; reason: RemoteEnd; detail?: string; code?: number }
  | { type: 'result'; id: number; result: unknown }
  | { type: 'fault'; id: number; code: FileFault; message: string }
  | { type: 'progress'; id: number; bytes: number };

export type ClientMessage =
  | { type: 'answer'; id: number; answer: RemoteAnswer }
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'ack'; bytes: number }
  | { type: 'call'; id: number; call: FileCall };

export interface TerminalHello {
  cols: number;
  rows: number;
  /** What `open` gave, and how many bytes of the shell have arrived: the rest is sent again. */
  resume?: string;
  received?: number;
}

/** Each has a text `remote.faults.<code>`. */
export const FILE_FAULTS = [
  'not-found',
  'denied',
  'exists',
  'changed',
  'too-large',
  'not-text',
  'no-space',
  'unsupported',
  'failed',
  'cancelled',
] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

export interface RemoteFile {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  /** What a link leads to is a folder. */
  is_folder: boolean;
  size: number;
  /** Unix seconds. */
  modified: number;
  /** The permission bits, as chmod takes them. */
  mode: number;
  owner: string;
  group: string;
}

export type FileCall =
  | { op: 'list'; path: string }
  | { op: 'make-folder'; path: string }
  | { op: 'rename'; path: string; to: string }
  | { op: 'remove'; path: string; recursive: boolean }
  | { op: 'permissions'; path: string; mode: number }
  | { op: 'read'; path: string }
  /** `version`: what `read` gave; the call fails with `changed` when the file is another by now, except with `overwrite`. */
  | { op: 'write'; path: string; text: string; version?: string; overwrite?: boolean }
  /**
   * Answered with `{ offset }`; binary frames with the call's id as their first four bytes follow, then `upload-end`. `source` tells the file from
   * others of its name and size, such as by its time of change: an upload goes on where one of the same source stopped, and without it from the start.
   */
  | { op: 'upload'; path: string; size: number; source?: string; overwrite: boolean }
  | { op: 'upload-end'; upload: number }
  | { op: 'cancel'; upload: number };

export interface FileList {
  path: string;
  files: RemoteFile[];
  /** There are more than are listed. */
  is_cut: boolean;
}

export interface FileText {
  text: string;
  version: string;
  mode: number;
}
