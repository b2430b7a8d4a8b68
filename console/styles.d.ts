// esbuild collects the styles that modules import into one file.
declare module '*.css';
