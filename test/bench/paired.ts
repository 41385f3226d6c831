import { cpuMs, median, monotonicMs } from './process-figures.js'

/** One of several ways to do the same. */
export interface Variant {
  readonly name: string
  /** Processes whose CPU time is counted. */
  readonly pids: readonly number[]
  /** The n-th operation. */
  run(n: number): Promise<void>
}
export interface Cost {
  readonly name: string
  /** Of an operation that runs alone. */
  readonly latencyMs: number
  /** Per operation, with several in flight. */
  readonly cpuMs: number
  /** Compared to the first variant, round by round. */
  readonly latencyRatio: number
  readonly cpuRatio: number
}

const warmUp = 3000
const aloneEach = 30
/** CPU time has a resolution of 10 ms, so a batch must be long enough. */
const togetherEach = 1000
const usualClients = 16

/**
 * Compares variants on a shared machine: they alternate in small batches, so that other load
 * slows all of them, and each round is compared separately. Latency is measured one operation at a time, CPU with several
 * in flight.
 */
export async function compare(variants: readonly Variant[], rounds: number, clients = usualClients): Promise<Cost[]> {
  const measured = variants.map(variant => new Measured(variant, clients))
  for (const one of measured) await one.together(warmUp)
  for (let round = 0; round < rounds; round++)
    // The order rotates.
    for (let i = 0; i < measured.length; i++) await measured[(round + i) % measured.length]!.round()
  return measured.map(one => one.cost(measured[0]!))
}

class Measured {
  readonly #variant: Variant
  readonly #clients: number
  readonly latencies: number[] = []
  readonly cpu: number[] = []
  #next = 0
  constructor(variant: Variant, clients: number) {
    this.#variant = variant
    this.#clients = clients
  }

  async round(): Promise<void> {
    const latencies: number[] = []
    for (let i = 0; i < aloneEach; i++) {
      const startedAt = monotonicMs()
      await this.#variant.run(this.#next++)
      latencies.push(monotonicMs() - startedAt)
    }
    this.latencies.push(median(latencies))
    this.cpu.push((await this.together(togetherEach)) / togetherEach)
  }
  /** Returns the CPU time of it. */
  async together(count: number): Promise<number> {
    const before = cpuMs(this.#variant.pids)
    const until = this.#next + count
    const work = async () => {
      while (this.#next < until) await this.#variant.run(this.#next++)
    }
    await Promise.all(Array.from({ length: this.#clients }, work))
    return cpuMs(this.#variant.pids) - before
  }

  cost(first: Measured): Cost {
    const ratio = (key: 'latencies' | 'cpu') => median(this[key].map((value, i) => value / first[key][i]!))
    return {
      name: this.#variant.name,
      latencyMs: median(this.latencies),
      cpuMs: median(this.cpu),
      latencyRatio: ratio('latencies'),
      cpuRatio: ratio('cpu'),
    }
  }
}

/** `name   1.234 ms × 1.00   0.123 ms CPU × 1.00`, one line each. */
export const costLines = (costs: readonly Cost[]): string =>
  costs
    .map(
      ({ name, latencyMs, latencyRatio, cpuMs: cpu, cpuRatio }) =>
        `${name.padEnd(34)} ${latencyMs.toFixed(3)} ms × ${latencyRatio.toFixed(2)}   ` +
        `${cpu.toFixed(3)} ms CPU × ${cpuRatio.toFixed(2)}\n`,
    )
    .join('')
