/**
 * What the server counts for its operator. The labels are names of operations, numbers of statuses and kinds of
 * failures: nothing that a person wrote, no token, and no id.
 */
import type { AnsweredRequest } from './observe-requests.ts';
import { type Labels, type Metric, metricsText, type Sample } from './text-format.ts';

/** Values that are asked for when the metrics are read. */
export interface Gauges {
  readonly connections: () => number;
  readonly requestsInProgress: () => number;
  /** Requests that wait for a change (`Prefer: wait`). */
  readonly requestsWaiting: () => number;
}

/** `unavailable`: the request was answered with 503 and can be repeated. `failure`: it was answered with 500. */
export type DatabaseError = 'unavailable' | 'failure';

export interface Metrics {
  answered(request: AnsweredRequest): void;
  databaseError(kind: DatabaseError): void;
  /** In the text format of Prometheus. */
  text(gauges: Gauges): string;
}

/** @param version of the program */
export function createMetrics(version: string): Metrics {
  const requests = new Map<string, { readonly labels: Record<string, string>; count: number }>();
  const durations = new Map<string, Histogram>();
  const errors: Record<DatabaseError, number> = { unavailable: 0, failure: 0 };
  return {
    answered: ({ operation, status, seconds }) => {
      const labels = { operation: operation ?? 'none', status: status === null ? 'none' : String(status) };
      const key = `${labels.operation} ${labels.status}`;
      const counter = requests.get(key) ?? { labels, count: 0 };
      counter.count += 1;
      requests.set(key, counter);
      const histogram = durations.get(labels.operation) ?? createHistogram();
      histogram.observe(seconds);
      durations.set(labels.operation, histogram);
    },
    databaseError: (kind) => {
      errors[kind] += 1;
    },
    text: (gauges) =>
      metricsText([
        {
          name: 'msg_tui_requests_total',
          type: 'counter',
          help: 'Requests by operation and status. The status is none where the caller left before the answer.',
          samples: [...requests.values()].map(({ labels, count }) => ({ labels, value: count })),
        },
        {
          name: 'msg_tui_request_duration_seconds',
          type: 'histogram',
          help: 'Time from the headers of a request to the end of its answer.',
          samples: [...durations].flatMap(([operation, histogram]) => histogram.samples({ operation })),
        },
        {
          name: 'msg_tui_database_errors_total',
          type: 'counter',
          help: 'Requests that failed: unavailable was answered with 503, failure with 500.',
          samples: Object.entries(errors).map(([kind, value]) => ({ labels: { kind }, value })),
        },
        ...gaugesOf(gauges),
        ...processMetrics(version),
      ]),
  };
}

function gaugesOf({ connections, requestsInProgress, requestsWaiting }: Gauges): readonly Metric[] {
  return [
    gauge('msg_tui_connections', 'Open connections.', { value: connections() }),
    gauge('msg_tui_requests_in_progress', 'Requests that are not answered yet.', { value: requestsInProgress() }),
    gauge('msg_tui_requests_waiting', 'Requests that wait for a change (Prefer: wait).', { value: requestsWaiting() }),
  ];
}

/** The usual metrics of a process, under their usual names. */
function processMetrics(version: string): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    gauge('msg_tui_build_info', 'The version of the program.', { labels: { version }, value: 1 }),
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Processor time used.',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory used.', { value: process.memoryUsage.rss() }),
    gauge('process_start_time_seconds', 'When the process started, in Unix seconds.', { value: Math.round(startedAt) }),
  ];
}

const gauge = (name: string, help: string, sample: Sample): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: [sample],
});

/** The upper bounds of the buckets, in seconds. The last ones are reached only by requests that wait for a change. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** Counts how long requests took, in buckets. */
interface Histogram {
  observe(seconds: number): void;
  samples(labels: Labels): readonly Sample[];
}

function createHistogram(): Histogram {
  /** One more than there are bounds: the last one is for everything above. */
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe: (seconds) => {
      const at = bounds.findIndex((bound) => seconds <= bound);
      const index = at < 0 ? bounds.length : at;
      counts[index] = (counts[index] ?? 0) + 1;
      sum += seconds;
    },
    samples: (labels) => {
      let below = 0;
      const buckets = counts.map((count, index): Sample => {
        below += count;
        const bound = bounds[index];
        return {
          suffix: '_bucket',
          labels: { ...labels, le: bound === undefined ? '+Inf' : String(bound) },
          value: below,
        };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: below }];
    },
  };
}
