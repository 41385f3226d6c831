/** How long a test file may take, in seconds. */
export const ordinarySeconds = 300

/** Long files, and their time limits. They start first, so that they do not end last. */
export const longSuites: Readonly<Record<string, number>> = {
  'test/golden/golden.test.js': 600,
  'test/golden/golden-etcd.test.js': 400,
  'test/golden/golden-versions.test.js': 900,
  'test/fuzz/fuzz.test.js': 240,
  'test/stall/stall.test.js': 300,
  'test/stall/regular-expressions.test.js': 500,
  'test/fuzz/served-types.test.js': 300,
  'test/conformance/run-conformance.test.js': 240,
  'test/conformance/first-party.test.js': 480,
  'test/conformance/etcd.test.js': 240,
  'test/boot/new-plugin.test.js': 180,
  'test/packed/installed.test.js': 420,
  'test/isolation/hostile-plugins.test.js': 480,
  'test/faults/crash.test.js': 240,
  'test/workers/consistency.test.js': 240,
  'test/workers/crash.test.js': 240,
  'test/limits/places.test.js': 300,
  'test/limits/connections.test.js': 400,
  'test/limits/keep-alive/keep-alive.test.js': 400,
  'test/boot/other-nodes.test.js': 600,
  'test/limits/stalled-readers.test.js': 300,
  'test/faults/broken-stores.test.js': 240,
  'test/faults/etcd-faults.test.js': 240,
  'test/faults/lmdb-faults.test.js': 240,
  'test/storage/large-store.test.js': 420,
  'test/storage/killed-commands.test.js': 300,
  'test/readme/docs.test.js': 420,
  'test/readme/examples.test.js': 420,
}

/** Files that mostly wait for timeouts of the server: they run sequentially in an additional lane. */
export const waitingSuites: ReadonlySet<string> = new Set([
  'test/limits/connections.test.js',
  'test/limits/stalled-readers.test.js',
  'test/limits/places.test.js',
  'test/faults/broken-stores.test.js',
])
