// Reads an amount as people write it in a cell or a field.

/** "75", "$75.50", "75,5", "1,200", "15 %"; undefined for anything that has two readings. */
export function amountIn(text: string): number | undefined {
  const bare = text.replaceAll(/[$%\s]/g, '');
  if (/^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(bare)) return Number(bare.replaceAll(',', ''));
  return /^\d{1,9}([.,]\d{1,2})?$/.test(bare) ? Number(bare.replace(',', '.')) : undefined;
}
