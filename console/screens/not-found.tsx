// An address that leads nowhere.
import { Link } from '../parts/link.tsx';

export function NotFound() {
  return (
    <div class="card blank">
      <h1>There is no such page</h1>
      <p class="muted">The address may be old, or cut off.</p>
      <Link to="/board" class="button primary">
        Open the board
      </Link>
    </div>
  );
}
