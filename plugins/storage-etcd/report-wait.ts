/** Soon enough for somebody who watches a start, and late enough for an etcd that is merely slow. */
const firstMs = 2000
/** Seldom after that: one look at the log has to find it, not fill with it. */
const laterMs = 10_000

/** Waits for work, and tells while it takes long for how many seconds it has been waiting. */
export async function reportWait<T>(
  work: Promise<T>,
  tell: (seconds: number) => void,
  { first, later } = { first: firstMs, later: laterMs },
): Promise<T> {
  const begunAt = performance.now()
  let timer = setTimeout(report, first)
  function report(): void {
    tell(Math.round((performance.now() - begunAt) / 1000))
    timer = setTimeout(report, later)
  }
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
