import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import type { Expression } from './expressions-in-code.js'

/** An expression that is vulnerable to attacks, or could not be proven safe. */
export interface Suspect {
  readonly expression: Expression
  readonly why: string
}

/** Much more than any expression needs that one can understand. */
const longestAnalysisMs = 200_000

/** Expressions that may take more than linear time, according to the analyser. */
export async function suspects(expressions: readonly Expression[]): Promise<Suspect[]> {
  const waiting = [...expressions]
  const found: Suspect[] = []
  const analyse = async () => {
    const worker = new Worker(new URL(import.meta.url), { env: { RECHECK_BACKEND: 'pure' } })
    const failed = once(worker, 'error').then(([error]) => Promise.reject(error))
    for (let expression = waiting.shift(); expression; expression = waiting.shift()) {
      const answer = once(worker, 'message')
      worker.postMessage(expression)
      const [why] = (await Promise.race([answer, failed])) as [string | undefined]
      if (why !== undefined) found.push({ expression, why })
    }
    failed.catch(() => undefined)
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, analyse))
  return found.sort((a, b) => (a.expression.file < b.expression.file ? -1 : 1))
}

if (!isMainThread) {
  // Loads an analyser of several megabytes: not in the thread that only asks.
  const { check } = await import('recheck')
  parentPort?.on('message', async ({ source, flags }: Expression) => {
    const verdict = await check(source, flags, { timeout: longestAnalysisMs, randomSeed: 1 })
    parentPort?.postMessage(
      verdict.status === 'safe'
        ? undefined
        : verdict.status === 'vulnerable'
          ? verdict.complexity.summary
          : `no verdict: ${verdict.error.kind}`,
    )
  })
}
