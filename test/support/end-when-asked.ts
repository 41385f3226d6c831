/**
 * Loaded into every test process. A file whose tests are done but whose process does not end is asked to by the runner:
 * it prints its open handles, so that the leak can be found, and ends with the verdict of its tests.
 */
process.on('SIGUSR2', () => {
  console.error(`LEFT OPEN ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit()
})
