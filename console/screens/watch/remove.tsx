// Takes a part of a rule away.

export function Remove({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" class="plain remove" aria-label={`Remove: ${what}`} onClick={onClick}>
      ×
    </button>
  );
}
