// Renders SVG as PNG by resvg in WebAssembly: the same file on every processor.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { fontFamily } from '#shared/charts/svg-text.ts';

/** Screens of phones have two or three pixels for one of CSS. */
const pixelsPerCssPixel = 2;

/** test/proof/fonts/main.ts makes these. */
const fontFiles = ['inter-regular.ttf', 'inter-semibold.ttf'] as const;

export type RenderPng = (svg: string) => Uint8Array;

/** WebAssembly is initialized once in a process. */
let loading: Promise<RenderPng> | undefined;

/** The renderer, ready to use. */
export function loadRenderer(): Promise<RenderPng> {
  loading ??= load();
  return loading;
}

async function load(): Promise<RenderPng> {
  const { resolve } = createRequire(import.meta.url);
  const [program, ...fontBuffers] = await Promise.all([
    readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')),
    ...fontFiles.map((file) => readFile(new URL(`files/${file}`, import.meta.url))),
  ]);
  await initWasm(program);
  return (svg) => renderPng(svg, fontBuffers);
}

function renderPng(svg: string, fontBuffers: Uint8Array[]): Uint8Array {
  const picture = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: pixelsPerCssPixel },
    font: { fontBuffers, defaultFontFamily: fontFamily },
  });
  const image = picture.render();
  try {
    return image.asPng();
  } finally {
    // The garbage collector does not see memory of WebAssembly.
    image.free();
    picture.free();
  }
}
