/** Time that does not grow when other programs run beside the tests. */

/** Starts now; answers the milliseconds of processor time that this process has used since. */
export function processorTime(): () => number {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
}
