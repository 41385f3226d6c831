export { MeteringError } from './binary-reader.js'
export { fuelExport, type MeteredModule, type MeteringLimits, meterModule } from './meter-module.js'
export type { FunctionType, ModuleExport, ModuleImport } from './read-sections.js'
