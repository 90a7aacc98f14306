/** Lines pasted from a spreadsheet: a name, a tab, a number. */

export interface PastedLine {
  name: string;
  qty: string;
}

/** Removes the quotes that spreadsheets put around cells with quotes or line breaks. */
function cell(text: string): string {
  const plain = text.trim();
  return /^".*"$/s.test(plain) ? plain.slice(1, -1).replaceAll('""', '"') : plain;
}

/** Parses pasted lines; null for a single name, which the browser pastes itself. */
export function readPasted(text: string): PastedLine[] | null {
  if (!/[\t\n\r]/.test(text.trim())) return null;
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [name = "", ...rest] = line.split("\t").map(cell);
    return { name, qty: rest.find((each) => each !== "") ?? "" };
  });
}
