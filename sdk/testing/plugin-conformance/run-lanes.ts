import type { Check } from './check.js'

/** Lists of checks. Those of one list follow each other, the lists run side by side. */
export type Lanes = readonly (readonly Check[])[]

const lanesAtOnce = 12

/** Runs lanes and reports in their order: the first at once, the others when it is their turn. */
export async function runLanes<R>(
  lanes: Lanes,
  run: (check: Check) => Promise<R>,
  report: (result: R) => void,
): Promise<void> {
  const waiting: R[][] = lanes.map(() => [])
  const isDone = lanes.map(() => false)
  let turn = 0
  const tell = () => {
    for (; turn < lanes.length; turn++) {
      for (const result of waiting[turn]!.splice(0)) report(result)
      if (!isDone[turn]) return
    }
  }
  let next = 0
  const worker = async () => {
    for (let lane = next++; lane < lanes.length; lane = next++) {
      for (const check of lanes[lane]!) {
        waiting[lane]!.push(await run(check))
        tell()
      }
      isDone[lane] = true
      tell()
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanesAtOnce, lanes.length) }, worker))
}
