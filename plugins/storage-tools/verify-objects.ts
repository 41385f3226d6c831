import { bodiesOf, bodyPrefix, type Revision, type Store } from 'orch/sdk/host'

export interface VerifiedObjects {
  /** One line for each corrupt object, at most a hundred. */
  readonly problems: readonly string[]
  readonly keys: number
  readonly revision: Revision
}
const maxProblems = 100

/** Checks every object of a store through the store contract alone. Checks of history are up to the engine. */
export async function verifyObjects(store: Store): Promise<VerifiedObjects> {
  const problems: string[] = []
  const report = (problem: string): void => void (problems.length < maxProblems && problems.push(problem))
  const page = await store.list({ prefix: '', keys: true })
  let keys = 0
  for await (const chunk of page.items) {
    let index = 0
    for (const body of bodiesOf(chunk)) {
      const problem = problemWith(body, page.revision)
      if (problem !== undefined) report(`object ${chunk.keys?.[index]} ${problem}`)
      index++
      keys++
    }
  }
  return { problems, keys, revision: page.revision }
}

function problemWith(body: Buffer, newest: Revision): string | undefined {
  const text = body.toString()
  if (!text.startsWith(`${bodyPrefix}"resourceVersion":"`)) return 'does not begin with its resourceVersion'
  try {
    const { metadata } = JSON.parse(text) as { metadata: { resourceVersion: string } }
    return Number(metadata.resourceVersion) > newest
      ? `has a version from the future: ${metadata.resourceVersion}`
      : undefined
  } catch (error) {
    return `is not JSON: ${String(error)}`
  }
}
