// A number as people write it.

const forms = {
  /** `1200`, `12.`, `.5`, `-3` */
  plain: /^-?(\d+\.?\d*|\.\d+)$/,
  /** `1,200` */
  grouped: /^-?\d{1,3}(,\d{3})+(\.\d*)?$/,
  /** `1,5` and `79,50`, as most of Europe writes them. */
  comma: /^-?\d+,\d{1,2}$/,
};

/** `$80` and `5 %` are numbers too. undefined for what is none, or could be one of two. */
export function numberIn(typed: string): number | undefined {
  const text = typed.replaceAll(/[$%\s]/g, '');
  if (forms.plain.test(text)) return Number(text);
  if (forms.grouped.test(text)) return Number(text.replaceAll(',', ''));
  return forms.comma.test(text) ? Number(text.replace(',', '.')) : undefined;
}
