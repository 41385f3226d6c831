import type { Clock, Logger, OrchConfig } from 'orch/sdk'
import { type BootRequest, bootPlugins } from '../boot/boot-plugins.js'
import { BootError } from '../contracts/boot-errors.js'
import { createLogger } from '../observe/log.js'
import { realClock } from '../observe/real-clock.js'
import { Kernel } from './kernel.js'

export interface KernelRequest extends Pick<BootRequest, 'configDir' | 'flags'> {
  readonly clock?: Clock
  readonly logger?: Logger
}

/** A server from a configuration: `const kernel = await createKernel(config)`, then `start()` and `stop()`. */
export async function createKernel(config: OrchConfig, request: KernelRequest = {}): Promise<Kernel> {
  const { clock = realClock, logger, ...boot } = request
  const booted = await bootPlugins({ config, ...boot })
  if (booted.problems.length > 0) throw new BootError(booted.problems)
  return new Kernel(booted, { clock, logger: logger ?? createLogger({ verbosity: booted.kernelOptions.v }) })
}
