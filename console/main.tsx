// The desk: Getin in a browser.
import './styles/tokens.css';
import './styles/bar.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/parts.css';
import './styles/forms.css';
import './screens/board/board.css';
import './screens/channels/channels.css';
import './screens/alerts/alerts.css';
import './screens/money/money.css';
import './screens/settings/settings.css';
import './parts/chart/chart.css';
import './screens/event/event.css';
import './screens/watch/sentence.css';
import './screens/watch/watch.css';
import { render } from 'preact';
import { App } from './app.tsx';

const desk = document.getElementById('desk');
if (desk) render(<App />, desk);
