import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into the measured process with `node --import`: answers over the parent's channel, so that the product needs no code for it.
// Plain JavaScript: TypeScript would bring Node's compiler into the memory that is measured.

const MIB = 1024 * 1024;
const SAMPLE_MS = 10;
const LOOK_MS = 5;
const histogram = monitorEventLoopDelay({ resolution: 1 });
let peakRss = 0;
let since = { at: performance.now(), cpu: process.cpuUsage() };

// What the main thread itself worked between two looks: a busy machine makes turns late, but not this longer.
let busyMax = 0;
let worked = process.threadCpuUsage();
const watch = setInterval(() => {
  const { user, system } = process.threadCpuUsage(worked);
  worked = process.threadCpuUsage();
  busyMax = Math.max(busyMax, user + system);
}, LOOK_MS);
watch.unref();

const sampler = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, SAMPLE_MS);
sampler.unref();
histogram.enable();

function reset() {
  histogram.reset();
  busyMax = 0;
  peakRss = process.memoryUsage.rss();
  since = { at: performance.now(), cpu: process.cpuUsage() };
}

/** @returns {import('./processes.ts').ProbeReading} */
function read() {
  const spent = process.cpuUsage(since.cpu);
  return {
    delayP99Ms: histogram.percentile(99) / 1e6,
    delayMaxMs: histogram.max / 1e6,
    busyMaxMs: busyMax / 1000,
    rssMiB: process.memoryUsage.rss() / MIB,
    peakRssMiB: Math.max(peakRss, process.memoryUsage.rss()) / MIB,
    cpu: (spent.user + spent.system) / 1000 / (performance.now() - since.at),
  };
}

process.on('message', (message) => {
  if (message === 'probe-reset') reset();
  if (message === 'probe-reset' || message === 'probe-read') process.send?.({ probe: read() });
});
process.channel?.unref();
