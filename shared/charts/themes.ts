// The colours of a chart, light and dark: those of the desk and of the mails.

export const chartThemes = ['light', 'dark'] as const;
export type ChartTheme = (typeof chartThemes)[number];

export interface ChartColors {
  surface: string;
  ink: string;
  muted: string;
  line: string;
  accent: string;
  fall: string;
  rise: string;
}

export const chartColors: Record<ChartTheme, ChartColors> = {
  light: {
    ...{ surface: '#ffffff', ink: '#15171c', muted: '#5d6575', line: '#cfcfc7' },
    ...{ accent: '#0b6bcb', fall: '#0a7a4b', rise: '#b04a00' },
  },
  dark: {
    ...{ surface: '#16191f', ink: '#e8eaee', muted: '#9da6b5', line: '#39404b' },
    ...{ accent: '#5aa9f7', fall: '#45c98b', rise: '#f0a060' },
  },
};
