import './ui/theme/index.css';
import { start } from './app/start/start.tsx';

void start();
