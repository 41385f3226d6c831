import { readFileSync, readlinkSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { writeYaml, YamlError } from 'orch/sdk/files'
import { parseDocument } from './yaml-bodies.js'
import type { YamlReady, YamlResult, YamlTask } from './yaml-thread.js'

/** The code of the YAML thread. */
parentPort?.on('message', (task: YamlTask) => parentPort?.postMessage(perform(task)))
parentPort?.postMessage({ isReady: true, schedulerFile: schedulerFile() } satisfies YamlReady)

/** Linux reports the CPU time of each thread. */
function schedulerFile(): string | undefined {
  try {
    const path = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
    return /^\d+ /.test(readFileSync(path, 'utf8')) ? path : undefined
  } catch {
    return undefined
  }
}

function perform(task: YamlTask): YamlResult {
  try {
    if ('print' in task) return { yaml: writeYaml(JSON.parse(task.print)) }
    const { value, repeatedKeys } = parseDocument(task.parse, task.limits)
    return { json: JSON.stringify(value), repeatedKeys }
  } catch (thrown) {
    if (thrown instanceof YamlError) return { broken: thrown.message }
    return { failure: thrown instanceof Error ? thrown.name : 'unknown' }
  }
}
