import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into the measured process with `node --import`: answers over the parent's channel, so that the product needs no code for it.
// Plain JavaScript: TypeScript would bring Node's compiler into the memory that is measured.

const MIB = 1024 * 1024;
const SAMPLE_MS = 10;
const LOOK_MS = 5;
const histogram = monitorEventLoopDelay({ resolution: 1 });
let peakRss = 0;
let since = { at: performance.now(), cpu: process.cpuUsage() };

/** How long the main thread was ready to run while others had the processor, in ms since its start; 0 where the system does not say. */
function readWaited() {
  if (schedule === undefined) return 0;
  const length = readSync(schedule, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

function openSchedule() {
  try {
    return openSync('/proc/self/schedstat', 'r');
  } catch {
    return undefined;
  }
}

const buffer = Buffer.alloc(128);
const schedule = openSchedule();
process.on('exit', () => {
  if (schedule !== undefined) closeSync(schedule);
});

// What the main thread worked, and how long it held up its loop at all (also waiting for the disk), between two looks: a busy machine makes turns late, but
// neither of these longer.
let busyMax = 0;
let heldMax = 0;
let worked = process.threadCpuUsage();
let looked = { at: performance.now(), waited: readWaited() };
const watch = setInterval(() => {
  const { user, system } = process.threadCpuUsage(worked);
  worked = process.threadCpuUsage();
  busyMax = Math.max(busyMax, user + system);
  const now = { at: performance.now(), waited: readWaited() };
  heldMax = Math.max(heldMax, now.at - looked.at - (now.waited - looked.waited) - LOOK_MS);
  looked = now;
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
  heldMax = 0;
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
    heldMaxMs: heldMax,
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
