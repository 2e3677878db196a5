import type { JsonPrimitive } from '../../../schemas/kit/form/types.ts';
import type { Choice } from '../../ui/index.ts';

/*
 * The options of a window when it is opened (docs/behaviour.md section 3, Modal descriptor). A registered component is in it, or a
 * question; forms are opened by openForm, which takes the same options.
 */

/** Options of a window, whatever is in it. */
export interface WindowOptions {
  /** What makes two openings the same window: the newer replaces the older. The dialog's name by default. */
  id?: string;
  /** Takes the place of the component's own title and subtitle. */
  title?: string;
  subtitle?: string;
  /** Has to be answered before going on: cannot be minimised, and a press beside it does nothing. */
  prompt?: boolean;
  /** An entry of `schemas/help.json`: a help link in the header. */
  helpLinkKey?: string;
  noPadding?: boolean;
  /** No header at all; the title is for screen readers only. Escape does nothing. */
  hideHeader?: boolean;
  /** No cross, no minimising, no full screen. Escape does nothing, and neither does a press beside it. */
  hideHeaderControls?: boolean;
  minimizeDisable?: boolean;
  /** Whether full screen is offered; as the component says by default. */
  fullScreenControl?: boolean;
  /** Opens in the tray. */
  minimized?: boolean;
  fullscreen?: boolean;
  /** `false` opens it below the present main window, which keeps the focus. */
  mainModal?: boolean;
  /** Cancelling answers `false` instead of `undefined`. */
  useCancelResolve?: boolean;
}

/** What a question asks. */
export interface QuestionProps {
  /** Plain text; blank lines part paragraphs. */
  promptContent?: string;
  /** A field that has to be filled in; its text is trimmed. */
  input?: { label: string; type?: 'text' | 'email' | 'password'; value?: string; hint?: string; maxLength?: number };
  /** Something to choose from; nothing chosen, nothing confirmed. */
  selectBox?: { label: string; choices: readonly Choice<JsonPrimitive>[]; value?: JsonPrimitive };
  /** The choice is shown and cannot be changed. */
  selectBoxReadonly?: boolean;
  /** The choice is greyed out and need not be made. */
  disableSelection?: boolean;
  /** Keeps the confirm button from being pressed. */
  disabled?: boolean | ((answer: QuestionAnswer) => boolean);
  /** Offers "Do not show this again" and remembers it under this name (kernel/settings/reminders.ts). */
  reminderKey?: string;
  /** Confirmed only after this is typed, for what destroys or is for many: the number or the name. */
  typed?: string;
  danger?: boolean;
  /** "Confirm" and "Cancel" by default. */
  confirmText?: string;
  cancelText?: string;
  /** Something to take note of: one button only. */
  hasNoCancel?: boolean;
}

/** What was entered into a question. */
export interface QuestionAnswer {
  text: string | undefined;
  selection: JsonPrimitive | undefined;
  /** "Do not show this again" was ticked. */
  isLast: boolean;
}
export interface QuestionModal<R = unknown> extends WindowOptions, QuestionProps {
  title: string;
  /** Handed back with the answer; a choice is added to it as `selectionKey`. */
  props?: Readonly<Record<string, unknown>>;
  /** `selection` by default. */
  selectionKey?: string;
  /** What confirming answers; the descriptor with what was entered by default. */
  returnValue?: R;
}
