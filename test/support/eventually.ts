/** Calls `attempt` until it returns something other than undefined or false; throws after `limitMs`. */
export async function eventually<T>(
  what: string,
  attempt: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 30_000,
): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const answer = await attempt()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms for ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
