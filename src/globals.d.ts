/** Unix milliseconds at which this console was built; set by Vite. */
declare const __BUILT_AT__: number;
/** The version in package.json, such as `0.1.0`; set by Vite. */
declare const __APP_VERSION__: string;

/** What we use of noVNC, which brings no types. */
declare module '@novnc/novnc' {
  /** What takes the place of a WebSocket: all of these are looked for. */
  export interface RawChannel {
    binaryType: string;
    protocol: string;
    readyState: string;
    onopen: (() => void) | null;
    onmessage: ((event: { data: ArrayBufferLike }) => void) | null;
    onclose: ((event: { code?: number }) => void) | null;
    onerror: ((event: unknown) => void) | null;
    send(bytes: Uint8Array): void;
    close(): void;
  }

  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: WebSocket | RawChannel, options?: { shared?: boolean });
    viewOnly: boolean;
    scaleViewport: boolean;
    resizeSession: boolean;
    clipViewport: boolean;
    dragViewport: boolean;
    focusOnClick: boolean;
    qualityLevel: number;
    compressionLevel: number;
    background: string;
    disconnect(): void;
    focus(options?: FocusOptions): void;
    blur(): void;
    sendKey(keysym: number, code: string | null, down?: boolean): void;
    sendCtrlAltDel(): void;
    clipboardPasteFrom(text: string): void;
    toBlob(callback: (blob: Blob | null) => void, type?: string): void;
  }
}
