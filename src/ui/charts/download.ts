function save(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // Revoked a turn later: some browsers start reading only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Saves a text as a file. */
export function saveText(text: string, fileName: string, type: string): void {
  save(new Blob([text], { type }), fileName);
}

/** Saves a drawing as a PNG file, on the colour that is behind it on the page. */
export function savePng(drawing: HTMLCanvasElement, background: string, name: string): void {
  const copy = document.createElement('canvas');
  copy.width = drawing.width;
  copy.height = drawing.height;
  const context = copy.getContext('2d');
  if (!context) return;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(drawing, 0, 0);
  copy.toBlob((blob) => blob && save(blob, `${name}.png`), 'image/png');
}

/** Saves rows as a CSV file; no cell of it is run as a formula. */
export async function saveCsv(rows: readonly (readonly (string | number | null)[])[], name: string): Promise<void> {
  const { default: Papa } = await import('papaparse');
  // The mark at the beginning lets spreadsheets read it as UTF-8.
  save(
    new Blob(
      [
        '\uFEFF',
        Papa.unparse(
          rows.map((row) => [...row]),
          { escapeFormulae: true },
        ),
      ],
      { type: 'text/csv;charset=utf-8' },
    ),
    `${name}.csv`,
  );
}
