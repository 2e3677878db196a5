import type { ErrorItem, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { VisibleForm } from '../../../schemas/kit/form/visible-schema.ts';
import type { Interest } from './listeners.ts';
import type { NodeItems } from './node-items.ts';
import type { Path } from './paths.ts';
import type { FormData } from './prepare.ts';
import type { SchemaData } from './schema-data.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';

/** A node of the form that is on screen. */
export interface DrawnNode {
  /** Of its element. */
  id: string;
  label: string;
}

export interface FormModel {
  readonly module: FormModule;
  readonly schemaData: SchemaData;
  /** What is entered; nothing where the whole of the form is no object. */
  data(): FormData;
  valueAt(path: Path): JsonValue | undefined;
  /** What is wrong with a node, by its key. Stays the same object until it changes. */
  items(key: string): NodeItems;
  /** Whether a node is on screen as far as the form's own rules (`fields`) go. */
  isDrawn(key: string): boolean;
  /** What is drawn, and its data without hidden values, as of the last `settle`; `fields` and `alerts` stay the same lists while they say the same. */
  visible(): VisibleForm<JsonValue | undefined>;
  /** `isWhole`: what a list or object changed about its parts, which everybody hears of at once. */
  setValue(path: Path, value: JsonValue | undefined, isWhole?: boolean): void;
  /** Sets a value that nobody entered, such as the null of a field that can hold nothing else. */
  fillValue(path: Path, value: JsonValue): void;
  /** The node was left: its rules are checked from now on. */
  leaveField(key: string): void;
  /** Does now what edits have left for later: which fields exist, whether those edited are still wrong, and calling the listeners. */
  settle(): void;
  isUnsettled(): boolean;
  /** `settle`, and what is drawn in a moment is drawn at once: for what acts on what it was drawn with. */
  settleNow(): void;
  /** Checks everything; answers what may be sent, or `undefined` when something is wrong. */
  check(): { data: JsonValue } | undefined;
  /** Puts the server's refusal where it belongs; answers what belongs to no field. */
  placeServerErrors(items: readonly ErrorItem[]): ErrorItem[];
  /** Keys of the nodes that are marked as wrong, in the order drawn. */
  wrongNodes(): string[];
  isDirty(): boolean;
  /** What is entered now counts as saved. */
  markSaved(): void;
  /** A node came on screen; answers how to say that it went. */
  mount(key: string, node: DrawnNode): () => void;
  node(key: string): DrawnNode | undefined;
  /** Remembers which node an element's id stands for; answers its key. */
  nameNode(id: string, path: Path): string;
  /** The path of the node whose element has this id; `undefined` when there is none. */
  pathOf(id: string): Path | undefined;
  /** Whether somebody entered a part of this node. */
  isEditedInside(key: string): boolean;
  /** Which of several schemas is drawn at a node, by `choiceKey`; answers how to say that it is no longer. */
  noteChoice(key: string, index: number): () => void;
  listen(interest: Interest, key: string, listener: () => void): () => void;
  subscribe(listener: () => void): () => void;
}
