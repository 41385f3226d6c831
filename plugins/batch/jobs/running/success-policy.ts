import { numbersOf, type StoredJob } from './job-state.js'

/** The rule of the success policy that the numbers of Pods that have succeeded fulfil; undefined if none. */
export function fulfilledRule({ spec }: StoredJob, done: ReadonlySet<number>): number | undefined {
  const rules = spec?.successPolicy?.rules ?? []
  const i = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    const wanted = succeededIndexes === undefined ? undefined : numbersOf(succeededIndexes)
    const have = wanted === undefined ? done.size : wanted.filter(index => done.has(index)).length
    return have >= (succeededCount ?? wanted?.length ?? Number.POSITIVE_INFINITY)
  })
  return i < 0 ? undefined : i
}
