import concurrently from 'concurrently';

const port = process.env['PORT'] ?? '8080';
const consolePort = process.env['CONSOLE_PORT'] ?? '5173';

console.log(`Console with hot reload: http://127.0.0.1:${consolePort} · API: http://127.0.0.1:${port}`);
const { result } = concurrently(
  [
    {
      name: 'server',
      command: 'node --watch --watch-preserve-output server/main.ts',
      env: { PORT: port, PUBLIC_URL: `http://127.0.0.1:${consolePort}` },
    },
    { name: 'console', command: `vite --port ${consolePort} --strictPort`, env: { CANOPY_SERVER: `http://127.0.0.1:${port}` } },
  ],
  { killOthersOn: ['failure', 'success'], prefixColors: ['blue', 'green'] },
);
await result.catch(() => {
  process.exitCode = 1;
});
