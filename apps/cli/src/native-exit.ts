let isEngineLoaded = false

/** To be called before the embedded engine is loaded: from then on threads of its own may be at work. */
export function expectNativeWork(): void {
  isEngineLoaded = true
}

/**
 * Ends this process at once with exit code 130, after the exit listeners (which end servers).
 *
 * Node waits at its exit for the threads that do native work, and nothing can stop a look-up of a name or an engine
 * in the middle of a batch: with either under way the process ends itself by SIGINT, which a shell shows as 130 too.
 */
export function exitInterrupted(): never {
  if (isEngineLoaded || process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) {
    process.once('exit', () => {
      process.removeAllListeners('SIGINT')
      process.kill(process.pid, 'SIGINT')
    })
  }
  process.exit(130)
}
