// A few choices side by side, of which one is on.

interface SegmentsProps<Value extends string | number> {
  name: string;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}

export function Segments<Value extends string | number>({
  name,
  options,
  value,
  onChoose,
}: SegmentsProps<Value>) {
  return (
    <fieldset class="seg" aria-label={name}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}
